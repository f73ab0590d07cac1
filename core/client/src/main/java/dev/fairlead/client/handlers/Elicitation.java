package dev.fairlead.client.handlers;

import dev.fairlead.client.internal.Asked;
import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.client.internal.Given;
import dev.fairlead.client.internal.UserHandler;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.json.JsonViolation;
import dev.fairlead.jsonrpc.ErrorCode;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.elicitation.ElicitAction;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.elicitation.ElicitRequest;
import dev.fairlead.protocol.elicitation.ElicitResult;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.time.LimitedLog;

import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Answers {@code elicitation/create}.
 *
 * @param server the server that asks
 */
public record Elicitation(
        Supplier<Implementation> server, ClientSettings settings, UrlElicitations visits) {
    private static final System.Logger LOGGER = System.getLogger(Elicitation.class.getName());

    /**
     * Makes sure that a question is one that this client answers.
     *
     * @throws JsonRpcException {@code -32602} if not
     */
    public void require(ElicitRequest request) {
        switch (request) {
            case ElicitFormRequest form -> formHandler();
            case ElicitUrlRequest link -> {
                urlHandler();
                check(link.url());
            }
        }
    }

    public ElicitResult elicit(ElicitRequest request) throws Exception {
        return switch (request) {
            case ElicitFormRequest form -> fillIn(form);
            case ElicitUrlRequest link -> new ElicitResult(action(consent(link)));
        };
    }

    // ---- forms

    private ElicitResult fillIn(ElicitFormRequest request) throws Exception {
        UserHandler<Asked<ElicitFormRequest>, Answer<?>> handler = formHandler();
        FormSchema schema = FormSchema.of(request.requestedSchema());
        Answer<?> answer =
                Given.by("the form handler", handler.handle(new Asked<>(server.get(), request)));
        return switch (answer) {
            case Answer.Accepted<?> accepted -> accept(schema, object(accepted.value()));
            case Answer.Refused<?> refused -> new ElicitResult(action(refused));
        };
    }

    private static ElicitAction action(Answer<?> answer) {
        return switch (answer) {
            case Answer.Accepted<?> accepted -> ElicitAction.ACCEPT;
            case Answer.Declined<?> declined -> ElicitAction.DECLINE;
            case Answer.Cancelled<?> cancelled -> ElicitAction.CANCEL;
        };
    }

    private UserHandler<Asked<ElicitFormRequest>, Answer<?>> formHandler() {
        UserHandler<Asked<ElicitFormRequest>, Answer<?>> handler = settings.onElicitForm;
        if (handler == null) {
            throw undeclared("form");
        }
        return handler;
    }

    private static ElicitResult accept(FormSchema schema, JsonObject filledIn) {
        JsonObject content = schema.withDefaults(filledIn);
        List<JsonViolation> violations = schema.validate(content);
        if (violations.isEmpty()) {
            return ElicitResult.accept(content);
        }
        String what =
                violations.stream().map(JsonViolation::toString).collect(Collectors.joining("; "));
        LimitedLog.log(
                LOGGER,
                Level.WARNING,
                "",
                "The answer of the form handler does not fit the form, so it is not sent: {0}",
                Printable.excerpt(what));
        throw new JsonRpcException(
                ErrorCode.INTERNAL_ERROR, "The client has no answer that fits the form");
    }

    /** An object as it is, a map member by member, anything else by its codec. */
    private static JsonObject object(Object value) {
        JsonValue json =
                switch (value) {
                    case JsonObject object -> object;
                    case Map<?, ?> map -> JsonObject.of("map", map).object("map");
                    default -> encoded(value);
                };
        if (json instanceof JsonObject object) {
            return object;
        }
        throw new IllegalArgumentException(
                "a form is answered by a record, a map or a JsonObject, not by a "
                        + value.getClass().getName());
    }

    @SuppressWarnings("unchecked")
    private static <T> JsonValue encoded(T value) {
        return JsonCodec.of((Class<T>) value.getClass()).toValue(value);
    }

    // ---- pages

    private UserHandler<Asked<ElicitUrlRequest>, Answer<?>> urlHandler() {
        UserHandler<Asked<ElicitUrlRequest>, Answer<?>> handler = settings.onElicitUrl;
        if (handler == null) {
            throw undeclared("url");
        }
        return handler;
    }

    private static JsonRpcException undeclared(String mode) {
        return JsonRpcException.invalidParams(
                "This client did not declare the elicitation mode " + mode);
    }

    /**
     * Asks the person for consent to visit a page, and remembers the page if so.
     *
     * @throws JsonRpcException {@code -32602} if the URL is none that may be shown
     */
    public Answer<?> consent(ElicitUrlRequest request) throws Exception {
        check(request.url());
        Answer<?> answer =
                Given.by(
                        "the handler of pages",
                        urlHandler().handle(new Asked<>(server.get(), request)));
        if (answer instanceof Answer.Accepted) {
            visits.open(request.elicitationId());
        }
        return answer;
    }

    /**
     * Allowed are absolute URLs of the web that hide no user name: nothing that a program would
     * run.
     */
    private static void check(String text) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            throw JsonRpcException.invalidParams("url must be a valid URL");
        }
        boolean web =
                "https".equalsIgnoreCase(url.getScheme())
                        || "http".equalsIgnoreCase(url.getScheme());
        if (!web || url.getHost() == null || url.getRawUserInfo() != null) {
            throw JsonRpcException.invalidParams(
                    "url must be an absolute http or https URL without user information");
        }
    }
}
