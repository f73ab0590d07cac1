package dev.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.requirements.Requirement;
import dev.fairlead.servlet.Container.Running;
import dev.fairlead.servlet.Wire.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that are refused, through a container. */
@ParameterizedClass
@EnumSource(Container.class)
@Timeout(60)
class RefusalsTest extends ServletTest {
    @Test
    void otherMethodsAreRefused() throws Exception {
        Answer answer = send(serve(ENDPOINT), "PUT", "/mcp", initialize());

        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.header("Allow")).isEqualTo("GET, POST, DELETE, OPTIONS");
    }

    @Test
    void aRequestThatAcceptsNoSupportedTypeIsRefused() throws Exception {
        assertThat(post(serve(ENDPOINT), "/mcp", initialize(), "Accept", "text/html").status())
                .isEqualTo(406);
    }

    @Test
    void bodiesThatAreNotJsonAreRefused() throws Exception {
        Running running = serve(ENDPOINT);
        String form = "application/x-www-form-urlencoded";

        assertThat(post(running, "/mcp", initialize(), "Content-Type", form).status())
                .isEqualTo(415);
        assertThat(post(running, "/mcp", initialize(), "Content-Encoding", "gzip").status())
                .isEqualTo(415);
        assertThat(post(running, "/mcp", "nonsense").body()).contains("-32700");
    }

    @Test
    void bodiesThatAreTooLargeAreRefused() throws Exception {
        Answer answer =
                post(serve(ENDPOINT.maxBody(1000)), "/mcp", "{\"x\":\"" + "x".repeat(1 << 20));

        assertThat(answer.status()).isEqualTo(413);
    }

    @Test
    void aTruncatedBodyDoesNotAffectOtherRequests() throws Exception {
        Running running = serve(ENDPOINT);
        wire(running).send("POST", "/mcp", initialize(), "Content-Length", "100000").close();

        assertThat(post(running, "/mcp", initialize()).status()).isEqualTo(200);
    }

    @Test
    @Requirement("HTTP-002")
    void pagesOfOtherSitesAreRefused() throws Exception {
        Running running = serve(ENDPOINT.allowOrigins("https://app.example"));

        assertThat(post(running, "/mcp", initialize(), "Origin", "https://evil.example").status())
                .isEqualTo(403);
        assertThat(post(running, "/mcp", initialize(), "Origin", "null").status()).isEqualTo(403);
        assertThat(post(running, "/mcp", initialize(), "Host", "evil.example").status())
                .isEqualTo(403);
        Answer allowed = post(running, "/mcp", initialize(), "Origin", "https://app.example");
        assertThat(allowed.status()).isEqualTo(200);
        assertThat(allowed.header("Access-Control-Allow-Origin")).isEqualTo("https://app.example");
    }

    @Test
    @Requirement("ROOM-059")
    void theForwardedHostIsChecked() throws Exception {
        Running running = serve(ENDPOINT.trustProxies("127.0.0.1").allowHosts("weather.example"));

        String header = "X-Forwarded-Host";
        assertThat(post(running, "/mcp", initialize(), header, "weather.example").status())
                .isEqualTo(200);
        assertThat(post(running, "/mcp", initialize(), header, "evil.example").status())
                .isEqualTo(403);
    }

    @Test
    @Requirement("HTTP-050")
    void aBrowserMayAskBefore() throws Exception {
        Answer answer =
                send(
                        serve(ENDPOINT.allowOrigins("https://app.example")),
                        "OPTIONS",
                        "/mcp",
                        "",
                        "Origin",
                        "https://app.example",
                        "Access-Control-Request-Method",
                        "POST");

        assertThat(answer.status()).isEqualTo(204);
        assertThat(answer.header("Access-Control-Allow-Methods")).contains("POST");
    }

    @Test
    void aHeadIsRefusedWithoutABody() throws Exception {
        Running running = serve(ENDPOINT);
        Wire wire = wire(running).send("HEAD", "/mcp", "");
        assertThat(wire.head().status()).isEqualTo(405);

        assertThat(wire.send("POST", "/mcp", initialize()).answer().status()).isEqualTo(200);
    }
}
