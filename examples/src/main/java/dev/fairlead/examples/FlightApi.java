package dev.fairlead.examples;

// @start region="api"
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * The web service of somebody else, at {@code /flights?from=ZRH&to=LIS&date=2027-03-01} and {@code
 * /flights/FL205-2027-03-01}.
 */
final class FlightApi implements AutoCloseable {
    private static final String EARLY =
            """
            {"id": "FL101-DATE", "departs": "DATET07:30", "euros": 129}\
            """;
    private static final String LATE =
            """
            {"id": "FL205-DATE", "departs": "DATET12:10", "euros": 89}\
            """;

    private final HttpServer http;

    FlightApi() throws IOException {
        http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.createContext("/flights", FlightApi::answer);
        http.start();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + http.getAddress().getPort() + "/flights");
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String asked = exchange.getRequestURI().toString();
        String date = asked.substring(Math.max(0, asked.length() - "2027-03-01".length()));
        String json =
                asked.contains("?")
                        ? "[" + EARLY + ", " + LATE + "]"
                        : asked.contains("FL101-") ? EARLY : asked.contains("FL205-") ? LATE : "";
        byte[] body = json.replace("DATE", date).getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(
                    json.isEmpty() ? 404 : 200, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        http.stop(0);
    }
}
// @end
