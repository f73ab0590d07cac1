package dev.fairlead.showcase;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.test.support.ChildProcess;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Writes messages to the standard input of a program and reads those of its standard output. */
final class StdioClient extends RawClient {
    private final ChildProcess program;

    StdioClient(ChildProcess program) {
        this.program = program;
    }

    @Override
    void send(String json) throws IOException {
        program.input().write((json + "\n").getBytes(StandardCharsets.UTF_8));
        program.input().flush();
    }

    @Override
    JsonObject next() throws InterruptedException {
        return (JsonObject) JsonValue.parse(program.line().orElseThrow());
    }

    @Override
    public void close() throws IOException {
        program.input().close();
    }
}
