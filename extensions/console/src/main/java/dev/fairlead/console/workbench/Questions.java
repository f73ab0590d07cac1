package dev.fairlead.console.workbench;

import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.ElicitUrl;
import dev.fairlead.client.FormField;
import dev.fairlead.client.McpClient;
import dev.fairlead.client.UserRejectedException;
import dev.fairlead.json.JsonArray;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonString;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.JsonRpcException;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/** The questions of a server that a page shows, until a person answers them. Thread-safe. */
final class Questions {
    /** The most questions that wait for one person. */
    static final int MAX = 16;

    /** The model that a person is taken for. */
    private static final String PERSON = "a person at the Fairlead console";

    private final Outbox outbox;
    private final AtomicLong number = new AtomicLong();
    private final Map<String, Question> open = new ConcurrentHashMap<>();

    private record Question(List<FormField> fields, CompletableFuture<JsonObject> answer) {}

    Questions(Outbox outbox) {
        this.outbox = outbox;
    }

    /** Sets the handlers that ask on the page. */
    void handledBy(McpClient.Builder client) {
        client.onElicitForm(this::form)
                .onElicitUrl(this::page)
                .onSample(this::sample)
                .onRoots(this::roots)
                .onElicitationComplete(
                        id -> outbox.add(JsonObject.of("type", "visited", "elicitation", id)));
    }

    private Answer<?> form(ElicitForm form) throws InterruptedException {
        JsonObject about =
                JsonObject.of("kind", "form", "message", form.message(), "schema", form.schema());
        JsonObject answer = ask(about, form.fields());
        return switch (action(answer)) {
            case "accept" -> Answer.accept(answer.object("content"));
            case "decline" -> Answer.decline();
            default -> Answer.cancel();
        };
    }

    private Answer<?> page(ElicitUrl page) throws InterruptedException {
        JsonObject about =
                JsonObject.of(
                        "kind",
                        "url",
                        "message",
                        page.message(),
                        "url",
                        page.url().toString(),
                        "host",
                        page.host(),
                        "punycode",
                        page.isPunycode());
        return switch (action(ask(about, List.of()))) {
            case "accept" -> Answer.accept();
            case "decline" -> Answer.decline();
            default -> Answer.cancel();
        };
    }

    private CreateMessageResult sample(CreateMessageRequest request) throws InterruptedException {
        JsonObject about =
                JsonObject.of(
                        "kind",
                        "sample",
                        "request",
                        JsonCodec.of(CreateMessageRequest.class).toValue(request));
        JsonObject answer = ask(about, List.of());
        if (!action(answer).equals("accept")) {
            throw new UserRejectedException();
        }
        return CreateMessageResult.text(PERSON, text(answer, "text"));
    }

    private List<Root> roots() throws InterruptedException {
        JsonObject answer = ask(JsonObject.of("kind", "roots"), List.of());
        List<Root> roots = new ArrayList<>();
        if (action(answer).equals("accept") && answer.get("roots") instanceof JsonArray uris) {
            for (JsonValue uri : uris) {
                if (uri instanceof JsonString text) {
                    roots.add(root(text.value()));
                }
            }
        }
        return roots;
    }

    private static Root root(String uri) {
        try {
            return new Root(uri);
        } catch (IllegalArgumentException e) {
            throw JsonRpcException.invalidRequest(String.valueOf(e.getMessage()));
        }
    }

    private JsonObject ask(JsonObject about, List<FormField> fields) throws InterruptedException {
        if (open.size() >= MAX || outbox.isBehind()) {
            throw JsonRpcException.invalidRequest(
                    MAX
                            + " questions wait for the person already, or the page has not read"
                            + " the last ones; ask again later");
        }
        String id = "q" + number.incrementAndGet();
        Question question = new Question(fields, new CompletableFuture<>());
        open.put(id, question);
        try {
            outbox.add(Cut.into(JsonObject.of("type", "question", "question", id), "ask", about));
            return question.answer.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e); // it is never completed so
        } finally {
            open.remove(id);
            outbox.add(JsonObject.of("type", "question-over", "question", id));
        }
    }

    /**
     * Takes the answer of a person.
     *
     * @return {@code done}, and the reasons by field where an answer does not fit the form
     */
    JsonObject answer(JsonObject body) {
        Question question = open.get(text(body, "question"));
        if (question == null) {
            return JsonObject.of("done", false, "message", "The question is over");
        }
        if (action(body).equals("accept")) {
            JsonObject content =
                    body.get("content") instanceof JsonObject given ? given : JsonObject.EMPTY;
            JsonObject errors = errors(question.fields, content);
            if (!errors.isEmpty()) {
                return JsonObject.of("done", false, "errors", errors);
            }
            return done(question, body.with("content", content));
        }
        return done(question, body);
    }

    private static JsonObject done(Question question, JsonObject answer) {
        return JsonObject.of("done", question.answer.complete(answer));
    }

    private static JsonObject errors(List<FormField> fields, JsonObject content) {
        JsonObject errors = JsonObject.EMPTY;
        for (FormField field : fields) {
            JsonValue value = content.get(field.name());
            try {
                if (value != null) {
                    field.check(value);
                } else if (field.isRequired()) {
                    throw new IllegalArgumentException("An answer is needed here.");
                }
            } catch (IllegalArgumentException e) {
                errors = errors.with(field.name(), String.valueOf(e.getMessage()));
            }
        }
        return errors;
    }

    private static String action(JsonObject answer) {
        return text(answer, "action");
    }

    static String text(JsonObject body, String name) {
        return body.get(name) instanceof JsonString text ? text.value() : "";
    }
}
