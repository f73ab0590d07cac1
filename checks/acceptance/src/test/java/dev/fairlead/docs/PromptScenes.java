package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.Doc;
import dev.fairlead.protocol.completion.CompleteResult;
import dev.fairlead.protocol.completion.PromptReference;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.server.McpServer;

import java.util.List;

/** Prompts, and the completion of their arguments. */
final class PromptScenes {
    // @start region="arguments"
    record Trip(@Doc("Where to") String city, @Doc("How it is travelled") Means means) {}

    enum Means {
        TRAIN,
        PLANE
    }

    // @end

    private static final List<String> CITIES = List.of("Oslo", "Osaka", "Seoul");

    private PromptScenes() {}

    static McpServer server() {
        // @start region="declare"
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .prompt("pack", "What to pack for a trip", Trip.class)
                        .complete("city", (typed, call) -> citiesLike(typed.value()))
                        .handle(
                                (trip, call) ->
                                        GetPromptResult.of(
                                                PromptMessage.user(
                                                        "I go to "
                                                                + trip.city()
                                                                + ". What do I pack?")))
                        .build();
        // @end
        return server;
    }

    // @start region="completer"
    static List<String> citiesLike(String typed) {
        return CITIES.stream().filter(city -> city.startsWith(typed)).toList();
    }

    // @end

    static void list(Recorder recorder) throws InterruptedException {
        try (McpClient client = connect(recorder)) {
            // @start region="list"
            List<Prompt> prompts = client.prompts();
            // @end
            assertThat(prompts).hasSize(1);
        }
    }

    static void get(Recorder recorder) throws InterruptedException {
        try (McpClient client = connect(recorder)) {
            // @start region="get"
            GetPromptResult prompt = client.getPrompt("pack", new Trip("Oslo", Means.TRAIN));
            // @end
            assertThat(prompt.messages()).hasSize(1);
        }
    }

    static void complete(Recorder recorder) throws InterruptedException {
        try (McpClient client = connect(recorder)) {
            // @start region="complete"
            CompleteResult proposals = client.complete(new PromptReference("pack"), "city", "Os");
            // @end
            assertThat(proposals.completion().values()).hasSize(2);
        }
    }

    static void getPerRequest(Recorder recorder) throws InterruptedException {
        try (McpClient client = connectPerRequest(recorder)) {
            client.getPrompt("pack", new Trip("Oslo", Means.TRAIN));
        }
    }

    static void completePerRequest(Recorder recorder) throws InterruptedException {
        try (McpClient client = connectPerRequest(recorder)) {
            client.complete(new PromptReference("pack"), "city", "Os");
        }
    }

    private static McpClient connectPerRequest(Recorder recorder) throws InterruptedException {
        return recorder.connectPerRequest(server(), McpClient.named("desk", "1.4.0"));
    }

    private static McpClient connect(Recorder recorder) throws InterruptedException {
        McpClient client = recorder.connect(server(), McpClient.named("desk", "1.4.0"));
        recorder.restart();
        return client;
    }
}
