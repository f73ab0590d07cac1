package dev.fairlead.spring.boot.starter;

import dev.fairlead.server.McpServer;
import dev.fairlead.stdio.Stdio;

/** A server on stdio, started as a child process. */
final class Child {
    private Child() {}

    public static void main(String[] arguments) {
        McpServer.named("child", "1")
                .features(GreetingsMcp.of(new Greetings()))
                .build()
                .serve(Stdio.streams());
    }
}
