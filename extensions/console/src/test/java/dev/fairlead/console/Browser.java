package dev.fairlead.console;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** The requests of a page of the console, without a browser. */
final class Browser implements AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final URI page;
    final Map<String, String> headers = new LinkedHashMap<>();

    Browser(URI page) {
        this.page = page;
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder request = HttpRequest.newBuilder(page.resolve(path));
        headers.forEach(request::setHeader);
        return request;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, JsonObject body)
            throws IOException, InterruptedException {
        return client.send(
                request(path).POST(HttpRequest.BodyPublishers.ofString(body.toJson())).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Sends the headers of a page of the console from now on. */
    Browser asPage() {
        headers.put("Origin", page.getScheme() + "://" + page.getAuthority());
        headers.put("Content-Type", "application/json");
        return this;
    }

    /** Logs in, and sends cookie and token from now on. */
    Browser logIn(String token) throws IOException, InterruptedException {
        asPage();
        HttpResponse<String> answer = post("login", JsonObject.of("token", token));
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
        headers.put(
                "Cookie",
                answer.headers().firstValue("Set-Cookie").orElseThrow().replaceAll(";.*", ""));
        headers.put(
                "X-Console-Token", ((JsonObject) JsonValue.parse(answer.body())).string("token"));
        return this;
    }

    JsonObject me() throws IOException, InterruptedException {
        return (JsonObject) JsonValue.parse(get("me").body());
    }

    /** Opens the stream of a view. */
    Events events(String query) throws IOException, InterruptedException {
        return stream("events?" + query);
    }

    /** Opens a stream of events. */
    Events stream(String path) throws IOException, InterruptedException {
        HttpResponse<InputStream> answer =
                client.send(request(path).build(), HttpResponse.BodyHandlers.ofInputStream());
        return new Events(
                answer.statusCode(),
                new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8)));
    }

    /** A stream of a view. */
    record Events(int status, BufferedReader lines) implements AutoCloseable {
        private static final String BEAT = "data: {\"type\":\"beat\"}"; // comes in between

        /** Returns the next update. */
        JsonObject next() throws IOException {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("data: ") && !line.equals(BEAT)) {
                    return (JsonObject) JsonValue.parse(line.substring("data: ".length()));
                }
            }
            throw new IOException("the stream has ended");
        }

        /** Returns the next update that has this member. */
        JsonObject next(String member) throws IOException {
            JsonObject update = next();
            while (!update.has(member)) {
                update = next();
            }
            return update;
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
