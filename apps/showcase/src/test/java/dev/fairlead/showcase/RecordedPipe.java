package dev.fairlead.showcase;

import dev.fairlead.jsonrpc.JsonRpcMessage;
import dev.fairlead.jsonrpc.Transport;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;

/** A connection within the process that gives every frame, as it is on the wire, to a recorder. */
final class RecordedPipe {
    private static final byte[] END = {};

    private final BlockingQueue<byte[]> toServer = new LinkedBlockingQueue<>();
    private final BlockingQueue<byte[]> toClient = new LinkedBlockingQueue<>();
    private final Consumer<String> recorder;

    /**
     * @param recorder gets each frame with the direction in front of it; called by both sides
     */
    RecordedPipe(Consumer<String> recorder) {
        this.recorder = recorder;
    }

    Transport server() {
        return new End("server ", toServer, toClient);
    }

    Transport client() {
        return new End("client ", toClient, toServer);
    }

    private final class End implements Transport {
        private final String name;
        private final BlockingQueue<byte[]> in;
        private final BlockingQueue<byte[]> out;

        End(String name, BlockingQueue<byte[]> in, BlockingQueue<byte[]> out) {
            this.name = name;
            this.in = in;
            this.out = out;
        }

        @Override
        public @Nullable JsonRpcMessage receive() throws IOException {
            try {
                byte[] frame = in.take();
                return frame == END ? null : JsonRpcMessage.parse(frame);
            } catch (InterruptedException e) {
                throw new IOException("interrupted", e);
            }
        }

        @Override
        public void send(JsonRpcMessage message) {
            byte[] frame = message.toBytes();
            recorder.accept(name + new String(frame, StandardCharsets.UTF_8));
            out.add(frame);
        }

        @Override
        public void close() {
            in.add(END);
            out.add(END);
        }
    }
}
