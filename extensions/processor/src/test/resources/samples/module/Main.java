package library;

import dev.fairlead.client.McpClient;
import dev.fairlead.json.JsonObject;
import dev.fairlead.server.McpServer;

final class Main {
    private Main() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (McpServer server =
                        McpServer.named("library", "1")
                                .features(LibraryMcp.of(new Library()))
                                .build();
                McpClient client = McpClient.connect(server.inProcess())) {
            System.out.println(Library.class.getModule());
            System.out.println(
                    client.callTool("findBooks", JsonObject.of("words", "sea"))
                            .structuredContent());
            System.out.println(client.readResource("book://100").text());
        }
    }
}
