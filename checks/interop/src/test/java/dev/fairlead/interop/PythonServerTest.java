package dev.fairlead.interop;

import org.junit.jupiter.api.Tag;

import java.util.List;

/** The client against a server of the Python SDK. */
@Tag("python")
class PythonServerTest extends PerRequestServerChecks {
    @Override
    List<String> command(String transport) {
        return Python.script("server.py", transport);
    }

    @Override
    String booked() {
        return "Oslo first=True True";
    }
}
