package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.McpClient;
import dev.fairlead.json.Default;
import dev.fairlead.json.Doc;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Era;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import java.net.URI;
import java.nio.file.Path;

/** Questions of a server to its client while a call runs. */
final class QuestionScenes {
    // @start region="form"
    record Booking(
            @Doc("Your name") String name, @Doc("Window seat") @Default("false") boolean window) {}

    // @end

    private QuestionScenes() {}

    static void form(Recorder recorder) throws InterruptedException {
        form(recorder, recorder::connect);
    }

    static void formInRounds(Recorder recorder) throws InterruptedException {
        form(recorder, recorder::connectPerRequest);
    }

    /** How a client connects. */
    @FunctionalInterface
    private interface Connecting {
        McpClient connect(McpServer server, McpClient.Builder settings) throws InterruptedException;
    }

    private static void form(Recorder recorder, Connecting connecting) throws InterruptedException {
        // @start region="form-server"
        McpServer server =
                McpServer.named("travel", "1.0.0")
                        .tool("book", "Books a seat", NoInput.class, String.class)
                        .handle(
                                (none, call) ->
                                        switch (call.elicit("Who travels?", Booking.class)) {
                                            case Answer.Accepted<Booking>(Booking booking) ->
                                                    "Booked for " + booking.name();
                                            case Answer.Refused<Booking> no -> "Not booked";
                                        })
                        .build();
        // @end
        // @start region="form-client"
        McpClient.Builder settings =
                McpClient.named("desk", "1.4.0")
                        .onElicitForm(form -> Answer.accept(askPerson(form)));
        // @end
        play(recorder, connecting, server, settings, "book");
    }

    static void url(Recorder recorder) throws InterruptedException {
        // @start region="url-server"
        McpServer server =
                McpServer.named("travel", "1.0.0")
                        .tool("pay", "Pays for the seat", NoInput.class, String.class)
                        .handle(
                                (none, call) -> {
                                    URI page = URI.create("https://travel.example/pay/4711");
                                    Answer<String> paid =
                                            call.elicitUrl("Please pay", page, () -> receipt(page));
                                    return paid.orElseThrow();
                                })
                        .build();
        // @end
        // @start region="url-client"
        McpClient.Builder settings =
                McpClient.named("desk", "1.4.0")
                        .onElicitUrl(
                                link ->
                                        confirmAndOpen(link.url())
                                                ? Answer.accept()
                                                : Answer.decline());
        // @end
        play(recorder, recorder::connect, server, settings, "pay");
    }

    static void sampling(Recorder recorder) throws InterruptedException {
        sampling(recorder, recorder::connect);
    }

    static void samplingInRounds(Recorder recorder) throws InterruptedException {
        sampling(recorder, recorder::connectPerRequest);
    }

    private static void sampling(Recorder recorder, Connecting connecting)
            throws InterruptedException {
        // @start region="sampling-server"
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .tool("poem", "A poem on the weather", NoInput.class, String.class)
                        .handle((none, call) -> call.sample("Four lines on rain", 100).text())
                        .build();
        // @end
        // @start region="sampling-client"
        McpClient.Builder settings =
                McpClient.named("desk", "1.4.0")
                        .onSample(request -> CreateMessageResult.text("tiny-1", "Drip, drop."));
        // @end
        play(recorder, connecting, server, settings, "poem");
    }

    static void rootsInRounds(Recorder recorder) throws InterruptedException {
        McpServer server =
                McpServer.named("notes", "1.0.0")
                        .tool("where", "Where it may write", NoInput.class, String.class)
                        .handle((none, call) -> call.roots().getFirst().uri())
                        .build();
        McpClient.Builder settings =
                McpClient.named("desk", "1.4.0")
                        .roots(Root.of(Path.of("/home/ada/notes"), "Notes"));
        play(recorder, recorder::connectPerRequest, server, settings, "where");
    }

    static void roots(Recorder recorder) throws InterruptedException {
        // @start region="roots-server"
        McpServer server =
                McpServer.named("notes", "1.0.0")
                        .tool("where", "Where it may write", NoInput.class, String.class)
                        .handle((none, call) -> call.roots().getFirst().uri())
                        .build();
        // @end
        // @start region="roots-client"
        McpClient.Builder settings =
                McpClient.named("desk", "1.4.0")
                        .roots(Root.of(Path.of("/home/ada/notes"), "Notes"));
        // @end
        try (McpClient client = recorder.connect(server, settings)) {
            recorder.restart();
            client.callTool("where", JsonObject.EMPTY);
            // @start region="roots-change"
            client.replaceRoots(Root.of(Path.of("/home/ada/plans"), "Plans"));
            // @end
        }
    }

    private static void play(
            Recorder recorder,
            Connecting connecting,
            McpServer server,
            McpClient.Builder settings,
            String tool)
            throws InterruptedException {
        try (McpClient client = connecting.connect(server, settings)) {
            if (client.revision().era() == Era.HANDSHAKE) {
                recorder.restart();
            }
            assertThat(client.callTool(tool, JsonObject.EMPTY).isError()).isFalse();
        }
    }

    private static JsonObject askPerson(ElicitForm form) {
        assertThat(form.message()).isEqualTo("Who travels?");
        return JsonObject.of("name", "Ada");
    }

    private static String receipt(URI page) {
        return "Paid at " + page.getHost();
    }

    private static boolean confirmAndOpen(URI page) {
        return page.getScheme().equals("https");
    }
}
