package dev.fairlead.spring.boot.starter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.server.McpServer;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** The console of an application, by its properties. */
class ConsolePagesTest {
    private static final String TOKEN = "a-token-of-this-test-alone";

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Own {
        @Bean
        McpServer server() {
            return McpServer.named("own", "3").build();
        }
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private static HttpRequest.Builder at(ConfigurableApplicationContext app, String path) {
        return HttpRequest.newBuilder(URI.create(Apps.url(app, path)));
    }

    @Test
    void itIsOffByDefault() throws Exception {
        try (var app = Apps.web(Own.class)) {
            assertThat(send(at(app, "/console/")).statusCode()).isEqualTo(404);
        }
    }

    @Test
    void peopleOnThisMachineLogInWithItsToken() throws Exception {
        try (var app =
                Apps.web(
                        Own.class,
                        "fairlead.server.console.enabled=true",
                        "fairlead.server.console.token=" + TOKEN,
                        "fairlead.server.console.path=/look/",
                        "server.servlet.context-path=/app")) {
            assertThat(send(at(app, "/app/look/")).body()).contains("<fairlead-console>");
            assertThat(send(at(app, "/app/look/views/calls.js")).statusCode()).isEqualTo(200);
            assertThat(send(at(app, "/app/look/me")).statusCode()).isEqualTo(401);
            HttpResponse<String> login =
                    send(
                            at(app, "/app/look/login")
                                    .header("Origin", Apps.url(app, ""))
                                    .header("Content-Type", "application/json")
                                    .POST(
                                            HttpRequest.BodyPublishers.ofString(
                                                    "{\"token\":\"" + TOKEN + "\"}")));
            assertThat(login.statusCode()).isEqualTo(200);
            String secret = ((JsonObject) JsonValue.parse(login.body())).string("token");
            String cookie = login.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(cookie).contains("; Path=/app/look/;");
            HttpResponse<String> me =
                    send(
                            at(app, "/app/look/me")
                                    .header("Cookie", cookie.split(";")[0])
                                    .header("X-Console-Token", secret));
            assertThat(me.body())
                    .contains("\"name\":\"own\"")
                    .contains("\"url\":\"" + Apps.url(app, "/app/mcp") + "\"");
        }
    }

    @Test
    void aShortTokenIsNamed() {
        assertThatThrownBy(
                        () ->
                                Apps.web(
                                        Own.class,
                                        "fairlead.server.console.enabled=true",
                                        "fairlead.server.console.token=short"))
                .hasStackTraceContaining("fairlead.server.console.token")
                .hasStackTraceContaining("20 to 200");
    }

    @Test
    void withoutATokenItNeedsAnAuthorization() {
        assertThatThrownBy(() -> Apps.web(Own.class, "fairlead.server.console.enabled=true"))
                .rootCause()
                .hasMessageContaining("HttpOptions.authorization");
    }
}
