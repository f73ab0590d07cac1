package dev.fairlead.showcase;

import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.test.shared.RawClient;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Writes messages to the standard input of a server and reads those of its standard output. */
final class StdioClient extends RawClient {
    private final Pipe.SinkChannel in;
    private final BufferedReader out;

    StdioClient(Pipe.SinkChannel in, Pipe.SourceChannel out) {
        this.in = in;
        this.out = new BufferedReader(Channels.newReader(out, StandardCharsets.UTF_8));
    }

    @Override
    public void send(String json) throws IOException {
        ByteBuffer line = ByteBuffer.wrap((json + "\n").getBytes(StandardCharsets.UTF_8));
        while (line.hasRemaining()) {
            in.write(line);
        }
    }

    @Override
    public JsonObject next() throws IOException {
        return (JsonObject) JsonValue.parse(Objects.requireNonNull(out.readLine()));
    }

    @Override
    public void close() throws IOException {
        in.close();
        out.close();
    }
}
