package dev.fairlead.cli;

import dev.fairlead.showcase.Serve;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/** The showcase server over HTTP, as a process of its own. */
final class ShowcaseServer implements AutoCloseable {
    private final Process process;
    private final String url;

    private ShowcaseServer(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    static ShowcaseServer start() throws IOException {
        Process process =
                new ProcessBuilder(Cli.java(Serve.class, "--http", "127.0.0.1:0", "--sse"))
                        .redirectError(Redirect.INHERIT)
                        .start();
        BufferedReader out = process.inputReader();
        String listening = out.readLine();
        if (listening == null) {
            throw new IOException("the showcase server did not start");
        }
        return new ShowcaseServer(process, listening.substring("listening on ".length()));
    }

    String url() {
        return url;
    }

    /** Where it is reached by HTTP+SSE. */
    String sseUrl() {
        return url.replaceFirst("/mcp$", "/sse");
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().join();
    }
}
