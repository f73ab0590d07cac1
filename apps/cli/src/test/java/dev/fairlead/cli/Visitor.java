package dev.fairlead.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** A person who opens every page whose URL stands on a line of its own. */
final class Visitor implements AutoCloseable {
    private final HttpClient browser =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();

    void read(String line) {
        if (line.startsWith("http")) {
            visit(URI.create(line));
        }
    }

    private void visit(URI url) {
        try {
            browser.send(HttpRequest.newBuilder(url).build(), BodyHandlers.discarding());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        browser.shutdownNow();
    }
}
