package dev.fairlead.examples;

// @start region="assistant"
import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.FormField;
import dev.fairlead.client.McpClient;
import dev.fairlead.client.UserRejectedException;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonException;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.stdio.Stdio;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/** A minimal host: calls tools for a person, who fills in forms and approves texts of a model. */
class Assistant {
    private static final String SCRIPT = "Steam above the cup: the kettle has said it all.";

    private final ReentrantLock turn = new ReentrantLock();
    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));

    /** Calls the tools that the person types, until an empty line. */
    void run(Remote server) throws IOException, InterruptedException {
        try (McpClient client =
                McpClient.named("assistant", "1.0.0")
                        .onElicitForm(form -> alone(() -> fillIn(form)))
                        .onSample(request -> alone(() -> sample(request)))
                        .connect(server)) {
            client.tools().forEach(tool -> show(tool.name() + ": " + tool.description()));
            String line;
            while (!(line = ask("TOOL {ARGUMENTS}")).isEmpty()) {
                String[] words = line.split(" ", 2);
                call(client, words[0], words.length == 1 ? "{}" : words[1]);
            }
        }
    }

    private void call(McpClient client, String tool, String json) throws InterruptedException {
        try {
            JsonObject input = JsonObject.of("input", JsonValue.parse(json)).object("input");
            CallToolResult result = client.callTool(tool, input);
            show((result.isError() ? "Failed: " : "") + result.text());
        } catch (CallException | JsonException | IllegalArgumentException e) {
            show("Error: " + e.getMessage());
        }
    }

    private Answer<?> fillIn(ElicitForm form) throws IOException {
        show(form.server().name() + " asks: " + form.message());
        JsonObject answer = JsonObject.EMPTY;
        for (FormField field : form.fields()) {
            Optional<JsonValue> value = ask(field);
            if (value.isPresent()) {
                answer = answer.with(field.name(), value.get());
            }
        }
        return switch (ask("Send " + answer.toJson() + "? [y]es, [n]o, else cancel")) {
            case "y" -> Answer.accept(answer);
            case "n" -> Answer.decline();
            default -> Answer.cancel();
        };
    }

    /** Asks until the answer fits; a field left empty has its default. */
    private Optional<JsonValue> ask(FormField field) throws IOException {
        while (true) {
            String typed = ask("  " + inWords(field));
            if (typed.isEmpty()) {
                return field.defaultValue();
            }
            try {
                return field.parse(typed);
            } catch (IllegalArgumentException e) {
                show("  " + e.getMessage());
            }
        }
    }

    /** A field for people, such as {@code Kind of tea (green, black)}. */
    private static String inWords(FormField field) {
        String options =
                field.options().stream()
                        .map(FormField.Option::title)
                        .collect(Collectors.joining(", "));
        return field.description().orElse(field.title())
                + " ("
                + (options.isEmpty() ? field.constraints() : options)
                + ")";
    }

    private CreateMessageResult sample(CreateMessageRequest request) throws IOException {
        approve("The server asks the model: " + request.messages().getLast().text());
        approve("The model answers: " + SCRIPT);
        return CreateMessageResult.text("script", SCRIPT);
    }

    private void approve(String text) throws IOException {
        show(text);
        if (!ask("Allow? [y]es, else deny").equals("y")) {
            throw new UserRejectedException();
        }
    }

    /** Several questions in a row, with none of another request in between. */
    private <T> T alone(Callable<T> questions) throws Exception {
        turn.lockInterruptibly();
        try {
            return questions.call();
        } finally {
            turn.unlock();
        }
    }

    private void show(String text) {
        System.out.println(harmless(text));
    }

    private String ask(String question) throws IOException {
        System.out.print(harmless(question) + " > ");
        String line = in.readLine();
        return line == null ? "" : line.strip(); // at the end of the input, nothing more is typed
    }

    /** Texts of servers without control characters, which could forge the output. */
    private static String harmless(String text) {
        return text.replaceAll("[\\p{Cntrl}\\p{Cf}&&[^\n]]", "?").replace("\n", "\n  ");
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        boolean url = args.length > 0 && args[0].startsWith("http");
        if (args.length == 0 || (url && args.length > 1)) {
            throw new UsageException("the arguments are one URL, or a command with its arguments");
        }
        new Assistant().run(url ? Http.to(args[0]) : Stdio.command(args));
    }
}
// @end
