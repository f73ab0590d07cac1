package dev.fairlead.proofs;

import dev.fairlead.server.McpServer;
import dev.fairlead.server.NoInput;
import dev.fairlead.stdio.Stdio;

/** A server that says which process it is. As a program it serves over stdio. */
final class NamedServer {
    private NamedServer() {}

    record Number(int number) {}

    public static void main(String[] arguments) throws InterruptedException {
        try (McpServer server =
                McpServer.named("named", "1")
                        .tool("pid", "The number of this process", NoInput.class, String.class)
                        .handle((none, call) -> String.valueOf(ProcessHandle.current().pid()))
                        .tool("echo", "Gives back a number", Number.class, Integer.class)
                        .handle((input, call) -> input.number())
                        .build()) {
            server.serve(Stdio.streams()).await();
        }
    }
}
