package dev.fairlead.acceptance.attack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.http.Http;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.Charset;

/** Messages in an encoding that a filter in front of the server reads as something else. */
@Timeout(120)
class OtherEncodingsAttackTest {
    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE", "UTF-16", "UTF-32LE", "UTF-32BE", "UTF-32"})
    void areRefused(String encoding) throws IOException, InterruptedException {
        String message =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
                    + "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"f\","
                    + "\"version\":\"1\"}}}";
        try (McpServer server = McpServer.named("attacked", "1").build();
                HttpClient client = HttpClient.newHttpClient()) {
            URI url = URI.create("http://127.0.0.1:" + server.serve(Http.port(0)).port() + "/mcp");
            HttpRequest request =
                    HttpRequest.newBuilder(url)
                            .header("Content-Type", "application/json")
                            .header("Accept", "application/json, text/event-stream")
                            .POST(
                                    HttpRequest.BodyPublishers.ofByteArray(
                                            message.getBytes(Charset.forName(encoding))))
                            .build();
            HttpResponse<String> answer =
                    client.send(request, HttpResponse.BodyHandlers.ofString());

            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).contains("-32700", "the text is not UTF-8");
        }
    }
}
