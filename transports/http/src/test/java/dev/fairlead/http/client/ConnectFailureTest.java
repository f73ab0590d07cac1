package dev.fairlead.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.URI;

import javax.net.ssl.SSLException;

class ConnectFailureTest {
    /** The HTTP client of the JDK reports one of two failures, depending on its threads. */
    @Test
    void aServerWithoutTlsIsNamedWhicheverFailureHidesIt() {
        ConnectorOptions options = new ConnectorOptions(URI.create("https://127.0.0.1:1/mcp"));
        SSLException plain = new SSLException("Unrecognized SSL message, plaintext connection?");
        for (IOException failure :
                new IOException[] {
                    plain, new IOException("HTTP/1.1 header parser received no bytes", plain)
                }) {
            assertThat(ConnectFailure.reason(failure, options, true))
                    .isEqualTo(
                            "TLS with https://127.0.0.1:1/mcp failed: the server does not use TLS;"
                                    + " use http://");
        }
    }
}
