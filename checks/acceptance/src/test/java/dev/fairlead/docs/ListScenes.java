package dev.fairlead.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.ListPromptsResult;
import dev.fairlead.protocol.prompts.Prompt;
import dev.fairlead.protocol.prompts.PromptMessage;
import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;

import java.time.Duration;
import java.util.List;

/** Lists: their pages, and how they change. */
final class ListScenes {
    private ListScenes() {}

    static McpServer.Builder server() {
        McpServer.Builder server = McpServer.named("weather", "1.0.0");
        for (String city : List.of("oslo", "osaka", "seoul")) {
            server.prompt(city, "About " + city, NoInput.class)
                    .handle((none, call) -> GetPromptResult.of(PromptMessage.user(city)));
        }
        return server;
    }

    static void pages(Recorder recorder) throws InterruptedException {
        McpServer.Builder builder = server();
        // @start region="size"
        McpServer server = builder.pageSize(2).build();
        // @end
        try (McpClient client = recorder.connect(server, McpClient.named("desk", "1.4.0"))) {
            recorder.restart();
            // @start region="all"
            List<Prompt> all = client.prompts();
            // @end
            assertThat(all).hasSize(3);
        }
    }

    static void pagePerRequest(Recorder recorder) throws InterruptedException {
        McpServer server = server().pageSize(2).cacheLists(Duration.ofMinutes(5)).build();
        try (McpClient client =
                recorder.connectPerRequest(server, McpClient.named("desk", "1.4.0"))) {
            client.promptPage(null);
        }
    }

    /** The same by hand. */
    static int byHand(McpClient client) throws InterruptedException {
        int count = 0;
        // @start region="by-hand"
        ListPromptsResult page = client.promptPage(null);
        while (true) {
            count += page.prompts().size();
            if (page.nextCursor() == null) {
                break;
            }
            page = client.promptPage(page.nextCursor());
        }
        // @end
        return count;
    }

    static void change(Recorder recorder) throws InterruptedException {
        Screen screen = new Screen();
        McpServer server = server().build();
        // @start region="listen"
        McpClient.Builder settings =
                McpClient.named("desk", "1.4.0")
                        .onPromptsChanged(
                                changed -> screen.show("Prompts: " + changed.prompts().size()));
        // @end
        try (McpClient client = recorder.connect(server, settings)) {
            recorder.restart();
            // @start region="update"
            server.update(features -> features.removePrompt("osaka").removePrompt("seoul"));
            // @end
            screen.expect("Prompts: 1");
        }
    }
}
