package com.example;

import dev.fairlead.http.Http;
import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;

/** A server with the annotated tools, over stdio or HTTP. */
public final class Server {
    static McpServer.Builder server() {
        return McpServer.named("{{name}}", "1.0.0").features(ToolsMcp.of(new Tools()));
    }

    /**
     * Serves over stdio, as hosts start it, or over HTTP.
     *
     * @param arguments {@code [http [PORT [ADDRESS]]]}
     */
    public static void main(String[] arguments) {
        if (arguments.length == 0) {
            server().build().serve(Stdio.streams());
            return;
        }
        int port = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3000;
        String address = arguments.length > 2 ? arguments[2] : "127.0.0.1";
        // In a container clients need a name that is allowed here.
        server().build().serve(Http.port(port).host(address).allowHosts("localhost"));
    }
}
