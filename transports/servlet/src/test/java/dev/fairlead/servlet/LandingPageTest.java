package dev.fairlead.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.servlet.Container.Running;
import dev.fairlead.servlet.Wire.Answer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The page for a person who opens the URL of the endpoint, through a container. */
@ParameterizedClass
@EnumSource(Container.class)
@Timeout(60)
class LandingPageTest extends ServletTest {
    @Test
    void aBrowserGetsThePageAtThePathOfTheEndpoint() throws Exception {
        Running running = serve(ENDPOINT);

        Answer answer = send(running, "GET", "/mcp", "", "Accept", "text/html,*/*;q=0.8");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).startsWith("text/html");
        assertThat(answer.header("Content-Security-Policy")).startsWith("default-src 'none'");
        assertThat(answer.body()).contains(":" + running.port() + "/mcp</pre>");
    }

    @Test
    void aHeadGetsItsHead() throws Exception {
        Running running = serve(ENDPOINT);

        assertThat(wire(running).send("HEAD", "/mcp", "", "Accept", "text/html").head().status())
                .isEqualTo(200);
    }
}
