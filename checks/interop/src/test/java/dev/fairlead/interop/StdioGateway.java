package dev.fairlead.interop;

import dev.fairlead.gateway.Gateway;
import dev.fairlead.http.Http;
import dev.fairlead.protocol.Serving;
import dev.fairlead.stdio.Stdio;

import java.time.Duration;

/** A gateway over stdio, in front of the showcase that serves the URL in its arguments. */
final class StdioGateway {
    private StdioGateway() {}

    static Gateway before(String showcase) {
        return Gateway.named("gateway", "1")
                .connectWait(Duration.ofSeconds(60))
                .server("showcase", Http.to(showcase))
                .build();
    }

    public static void main(String[] arguments) throws InterruptedException {
        try (Gateway gateway = before(arguments[0]);
                Serving serving = gateway.serve(Stdio.streams())) {
            serving.await();
        }
    }
}
