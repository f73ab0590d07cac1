package dev.fairlead.benchmarks.peers.sdk;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.transport.HttpServletStatelessServerTransport;
import io.modelcontextprotocol.server.transport.HttpServletStreamableServerTransportProvider;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;

import jakarta.servlet.http.HttpServlet;

import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.AbstractProtocol;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;

import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A server of the official Java SDK with one tool that returns its input. */
public final class SdkServer {
    private static final ServerCapabilities CAPABILITIES =
            ServerCapabilities.builder().tools(false).build();
    private static final Tool ECHO =
            Tool.builder()
                    .name("echo")
                    .description("Gives back its text")
                    .inputSchema(
                            Map.of(
                                    "type",
                                    "object",
                                    "properties",
                                    Map.of("text", Map.of("type", "string")),
                                    "required",
                                    List.of("text")))
                    .build();

    private SdkServer() {}

    /** {@code stdio}, or {@code stateful|stateless platform|virtual PORT}. */
    public static void main(String[] arguments) throws Exception {
        Logger.getLogger("").setLevel(Level.WARNING);
        if (arguments[0].equals("stdio")) {
            stdio();
            return;
        }
        HttpServlet servlet = arguments[0].equals("stateless") ? stateless() : stateful();
        serve(servlet, arguments[1].equals("virtual"), Integer.parseInt(arguments[2]));
    }

    private static CallToolResult echo(CallToolRequest request) {
        return CallToolResult.builder()
                .addTextContent((String) request.arguments().get("text"))
                .build();
    }

    private static void stdio() throws InterruptedException {
        McpServer.sync(new StdioServerTransportProvider(McpJsonDefaults.getMapper()))
                .serverInfo("java-sdk", "1")
                .capabilities(CAPABILITIES)
                .toolCall(ECHO, (exchange, request) -> echo(request))
                .build();
        new CountDownLatch(1).await();
    }

    private static HttpServlet stateful() {
        var transport =
                HttpServletStreamableServerTransportProvider.builder().mcpEndpoint("/mcp").build();
        McpServer.sync(transport)
                .serverInfo("java-sdk", "1")
                .capabilities(CAPABILITIES)
                .toolCall(ECHO, (exchange, request) -> echo(request))
                .build();
        return transport;
    }

    private static HttpServlet stateless() {
        var transport =
                HttpServletStatelessServerTransport.builder().messageEndpoint("/mcp").build();
        McpServer.sync(transport)
                .serverInfo("java-sdk", "1")
                .capabilities(CAPABILITIES)
                .toolCall(ECHO, (context, request) -> echo(request))
                .build();
        return transport;
    }

    private static void serve(HttpServlet servlet, boolean virtual, int port)
            throws java.io.IOException, LifecycleException {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("java-sdk").toString());
        Connector connector = new Connector();
        connector.setPort(port);
        connector.setProperty("address", "127.0.0.1");
        connector.setProperty("maxKeepAliveRequests", "-1");
        connector.setProperty("maxConnections", "20000");
        connector.setProperty("acceptCount", "1024");
        if (connector.getProtocolHandler() instanceof AbstractProtocol<?> protocol && virtual) {
            protocol.setExecutor(new VirtualThreadExecutor("tomcat-"));
        }
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", null);
        Wrapper wrapper = Tomcat.addServlet(context, "mcp", servlet);
        wrapper.setAsyncSupported(true);
        context.addServletMappingDecoded("/mcp", "mcp");
        tomcat.start();
        tomcat.getServer().await();
    }
}
