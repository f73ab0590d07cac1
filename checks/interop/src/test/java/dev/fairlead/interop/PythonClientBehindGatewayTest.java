package dev.fairlead.interop;

import dev.fairlead.protocol.Era;

import org.junit.jupiter.api.Tag;

import java.util.List;

/** The client of the Python SDK behind the gateway: {@code src/test/python/gateway_checks.py}. */
@Tag("python")
class PythonClientBehindGatewayTest extends ClientBehindGatewayChecks {
    @Override
    List<String> script(Era client, String transport) {
        String mode = client == Era.HANDSHAKE ? "legacy" : "2026-07-28";
        return Python.script("gateway_checks.py", mode, transport);
    }
}
