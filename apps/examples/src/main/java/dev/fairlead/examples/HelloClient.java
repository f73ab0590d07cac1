package dev.fairlead.examples;

// @start region="client"
import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.tools.Tool;

class HelloClient {
    public static void main(String[] args) throws InterruptedException {
        String url = args.length == 0 ? "http://127.0.0.1:3001/mcp" : args[0];
        try (McpClient client = McpClient.connect(Http.to(url))) {
            for (Tool tool : client.tools()) {
                System.out.println(tool.name() + ": " + tool.description());
            }
            System.out.println(client.callTool("greet", JsonObject.of("name", "Ada")).text());
        }
    }
}
// @end
