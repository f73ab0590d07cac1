package dev.fairlead.http.jetty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.http.Http;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which engine serves a port. */
@Timeout(60)
class EngineChoiceTest extends HttpTest {
    @Test
    void anEngineIsChosenByItsName() throws Exception {
        var serving = closedLater(Http.port(0).engine("jetty").serve(host));

        assertThat(post(serving, initialize("2025-11-25")).status()).isEqualTo(200);
    }

    @Test
    void anUnknownEngineIsNamed() {
        assertThatThrownBy(() -> Http.port(0).engine("other").serve(host))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("there is no HTTP engine 'other': add its module");
    }

    @Test
    void anEngineMayHaveOneThreadForWhatClientsSend() throws Exception {
        var serving = serve(listener -> listener.ioThreads(1));

        assertThat(post(serving, initialize("2025-11-25")).status()).isEqualTo(200);
    }
}
