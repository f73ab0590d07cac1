package dev.fairlead.docs;

import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.TaskHandle;
import dev.fairlead.client.group.GroupItem;
import dev.fairlead.client.group.McpClients;
import dev.fairlead.client.group.Naming;
import dev.fairlead.gateway.Gateway;
import dev.fairlead.http.Http;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.elicitation.Answer;
import dev.fairlead.protocol.logging.LoggingMessageNotification;
import dev.fairlead.protocol.tools.CallToolRequest;
import dev.fairlead.protocol.tools.CallToolResult;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.stdio.Stdio;

import java.lang.System.Logger.Level;

/** The code of the page on several servers. */
final class SeveralServersSnippets {
    private static final System.Logger LOGGER =
            System.getLogger(SeveralServersSnippets.class.getName());

    private SeveralServersSnippets() {}

    /** Asks the person, and shows messages. */
    interface Dialog {
        Answer<?> fill(String server, ElicitForm form);

        void show(String server, LoggingMessageNotification entry);
    }

    static McpClients connect(Dialog dialog) throws InterruptedException {
        // @start region="connect"
        McpClients servers =
                McpClients.named("desk", "1.4.0")
                        .server("files", Stdio.command("server-filesystem", "/home/ada"))
                        .server("weather", Http.to("https://weather.example/mcp"))
                        .clientDefaults(
                                (server, client) -> {
                                    client.onElicitForm(form -> dialog.fill(server, form));
                                    client.onLog(entry -> dialog.show(server, entry));
                                })
                        .connect();
        // @end
        return servers;
    }

    static String use(McpClients servers) throws InterruptedException {
        // @start region="use"
        for (GroupItem<Tool> tool : servers.tools()) {
            LOGGER.log(Level.INFO, tool.definition().name() + " of " + tool.server());
        }
        String text = servers.callTool("weather.today", JsonObject.EMPTY).text();
        // @end
        return text;
    }

    static void start(McpClients servers) throws InterruptedException {
        // @start region="start"
        TaskHandle<CallToolResult> task =
                servers.startTool(new CallToolRequest("report", JsonObject.EMPTY));
        task.id()
                .ifPresent(
                        id -> LOGGER.log(Level.INFO, id + " at " + servers.serverOfTool("report")));
        // @end
    }

    static McpClients strict(Remote files, Remote weather) throws InterruptedException {
        // @start region="strict"
        McpClients servers =
                McpClients.named("desk", "1.4.0")
                        .server("files", files)
                        .server("weather", weather)
                        .naming(Naming.STRICT.prefixAlways())
                        .connect();
        // @end
        return servers;
    }

    static void change(McpClients servers, Remote remote) throws InterruptedException {
        // @start region="change"
        servers.add("notes", remote);
        servers.remove("weather");
        // @end
    }

    static void gateway() throws InterruptedException {
        // @start region="gateway"
        try (Gateway gateway =
                Gateway.named("desk", "1.4.0")
                        .server("files", Stdio.command("server-filesystem", "/home/ada"))
                        .server("memory", Stdio.command("server-memory"))
                        .build()) {
            gateway.serve(Http.port(3000)).await();
        }
        // @end
    }
}
