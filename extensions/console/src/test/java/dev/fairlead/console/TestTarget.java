package dev.fairlead.console;

import dev.fairlead.client.McpClient;
import dev.fairlead.console.spi.ConsoleTarget;
import dev.fairlead.http.Http;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.Revision;

import java.net.URI;
import java.util.List;
import java.util.function.Consumer;

/** A server over HTTP that people try. */
record TestTarget(URI url, Revision revision) implements ConsoleTarget {
    @Override
    public String label() {
        return "harbour";
    }

    @Override
    public List<String> words() {
        return List.of(url.toString());
    }

    @Override
    public McpClient.Builder client() {
        return McpClient.named("tester", "1").revisions(revision, revision);
    }

    @Override
    public Remote remote(Consumer<String> stderr) {
        return Http.to(url);
    }
}
