package dev.fairlead.server.requests;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonSchemaException;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.Methods;
import dev.fairlead.protocol.base.EmptyParams;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitAction;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.elicitation.ElicitRequest;
import dev.fairlead.protocol.elicitation.ElicitResult;
import dev.fairlead.protocol.elicitation.InvalidAnswerException;
import dev.fairlead.protocol.engine.Omissions;
import dev.fairlead.protocol.face.CheckableForm;
import dev.fairlead.protocol.face.NeutralForm;
import dev.fairlead.protocol.roots.ListRootsResult;
import dev.fairlead.server.handler.Question;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * The request that asks a question, and the conversion of its result for the handler.
 *
 * @param timeout how long to wait without a sign of life
 * @param key under which the author wants it answered; null for none
 * @param reading converts the result for the handler
 */
record QuestionPlan<P extends RequestParams, R extends Result, T>(
        Method<P, R> method,
        P params,
        Duration timeout,
        @Nullable String key,
        Function<R, T> reading) {
    private static final Omissions LOG = new Omissions("", "A handler");

    static QuestionPlan<?, ?, ?> of(Question<?> question, QuestionLimits limits) {
        return switch (question) {
            case Question.RecordForm<?> form -> of(form, limits.question());
            case Question.Elicitation elicitation ->
                    new QuestionPlan<>(
                            Methods.ELICIT,
                            elicitation.request(),
                            limits.question(),
                            elicitation.key(),
                            result -> checked(elicitation.request(), result));
            case Question.Sampling sampling ->
                    new QuestionPlan<>(
                            Methods.CREATE_MESSAGE,
                            sampling.request(),
                            limits.question(),
                            sampling.key(),
                            Function.identity());
            case Question.RootList roots ->
                    new QuestionPlan<>(
                            Methods.LIST_ROOTS,
                            EmptyParams.EMPTY,
                            limits.request(),
                            roots.key(),
                            ListRootsResult::roots);
        };
    }

    private static <A> QuestionPlan<?, ?, Answer<A>> of(
            Question.RecordForm<A> question, Duration timeout) {
        Form<A> form = new Form<>(question.form());
        return new QuestionPlan<>(
                Methods.ELICIT,
                new ElicitFormRequest(question.message(), form.schema()),
                timeout,
                question.key(),
                result ->
                        switch (result.action()) {
                            case ACCEPT -> Answer.accept(form.read(content(result)));
                            case DECLINE -> Answer.decline();
                            case CANCEL -> Answer.cancel();
                        });
    }

    private static JsonObject content(ElicitResult result) {
        JsonObject content = result.content();
        return content == null ? JsonObject.EMPTY : content;
    }

    private static ElicitResult checked(ElicitRequest request, ElicitResult result) {
        if (request instanceof ElicitFormRequest form && result.action() == ElicitAction.ACCEPT) {
            List<JsonViolation> violations = violations(form.requestedSchema(), content(result));
            if (!violations.isEmpty()) {
                throw new InvalidAnswerException(content(result), violations);
            }
        }
        return result;
    }

    /**
     * Checks an answer by the fields of its form that can be used. By another one no answer would
     * ever pass: its schema is a mistake of the author, or of a server behind a gateway.
     */
    private static List<JsonViolation> violations(JsonObject schema, JsonObject content) {
        try {
            return CheckableForm.of(schema, LOG).validate(content);
        } catch (JsonSchemaException e) {
            LOG.warnOnce("an answer to its form is not checked", String.valueOf(e.getMessage()));
            return List.of();
        }
    }

    /**
     * Returns the answer for the handler.
     *
     * @throws InvalidAnswerException if the answer does not fit its form
     */
    T answer(Result result) {
        return reading.apply(method.result().cast(result));
    }

    JsonObject neutral(Result result) {
        return (JsonObject) NeutralForm.writeResult(method, method.result().cast(result)).value();
    }
}
