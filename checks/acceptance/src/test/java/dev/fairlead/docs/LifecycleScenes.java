package dev.fairlead.docs;

import dev.fairlead.client.McpClient;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.server.McpServer;

/** From the greeting to the end. */
final class LifecycleScenes {
    private LifecycleScenes() {}

    static void greeting(Recorder recorder) throws InterruptedException {
        // @start region="server"
        McpServer server =
                McpServer.named("weather", "1.0.0")
                        .instructions("Ask for one city at a time.")
                        .tool("today", "The weather of today", City.class, String.class)
                        .handle((city, call) -> "Sunny in " + city.name())
                        .build();
        // @end
        // @start region="client"
        McpClient.Builder settings =
                McpClient.named("desk", "1.4.0").onElicitForm(form -> Answer.decline());
        // @end
        recorder.connect(server, settings).close();
    }

    static void older(Recorder recorder) throws InterruptedException {
        McpServer server = McpServer.named("weather", "1.0.0").build();
        // @start region="revisions"
        McpClient.Builder settings =
                McpClient.named("desk", "1.4.0")
                        .revisions(Revision.V2025_03_26, Revision.V2025_06_18);
        // @end
        recorder.connectAsSet(server, settings).close();
    }

    record City(String name) {}
}
