package dev.fairlead.auth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.auth.server.PresentedToken.Scheme;
import dev.fairlead.http.spi.HttpExchange;
import dev.fairlead.http.spi.ResponseHead;
import dev.fairlead.http.spi.ResponseStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.InputStream;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** Tokens in requests, also in those that an engine with larger heads than Jetty lets in. */
class PresentedTokenTest {
    /** A request with this header. */
    private record Request(String authorization) implements HttpExchange {
        @Override
        public String method() {
            return "POST";
        }

        @Override
        public String path() {
            return "/mcp";
        }

        @Override
        public String scheme() {
            return "https";
        }

        @Override
        public Optional<String> query() {
            return Optional.empty();
        }

        @Override
        public List<String> headers(String name) {
            return name.equals("Authorization") ? List.of(authorization) : List.of();
        }

        @Override
        public Optional<InetAddress> localAddress() {
            return Optional.empty();
        }

        @Override
        public InputStream body() {
            return InputStream.nullInputStream();
        }

        @Override
        public void respond(ResponseHead head, byte[] body, Runnable done) {
            throw new UnsupportedOperationException();
        }

        @Override
        public ResponseStream stream(ResponseHead head) {
            throw new UnsupportedOperationException();
        }
    }

    @ParameterizedTest
    @CsvSource({"Bearer abc,BEARER", "bearer  abc ,BEARER", "DPoP abc,DPOP", "dpop abc,DPOP"})
    void theCaseOfTheSchemeDoesNotMatter(String value, Scheme scheme) throws Exception {
        assertThat(PresentedToken.in(new Request(value)))
                .isEqualTo(new PresentedToken(scheme, "abc"));
    }

    @Test
    void aTokenHasALargestLength() throws Exception {
        String longest = "x".repeat(PresentedToken.MAX_LENGTH);

        assertThat(PresentedToken.in(new Request("Bearer " + longest)).token()).isEqualTo(longest);
        assertThatThrownBy(() -> PresentedToken.in(new Request("Bearer x" + longest)))
                .isInstanceOfSatisfying(
                        TokenRefusal.class,
                        refusal -> assertThat(refusal.kind().status).isEqualTo(400))
                .hasMessage("The token is too long");
    }

    @Test
    void aTokenDoesNotShowWhereItIsWritten() throws Exception {
        assertThat(PresentedToken.in(new Request("DPoP abc")))
                .hasToString("a token presented as DPoP");
    }
}
