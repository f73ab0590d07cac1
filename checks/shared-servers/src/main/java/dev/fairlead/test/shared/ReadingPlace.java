package dev.fairlead.test.shared;

import dev.fairlead.client.McpClient;
import dev.fairlead.http.Http;
import dev.fairlead.http.HttpServing;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.pipe.PipeEndpoint;
import dev.fairlead.protocol.pipe.PipeRemote;
import dev.fairlead.protocol.pipe.PipeSettings;
import dev.fairlead.server.McpServer;

import java.io.IOException;

/** The place where a server in this process reads requests, and the thread that does. */
public enum ReadingPlace {
    /** A platform thread, as for standard input, which runs quick handlers. */
    PIPE,
    /** A loop as this JDK has it, which runs quick handlers. */
    LOOP,
    /** A loop as on JDK 21 to 23, which runs quick handlers. */
    PLATFORM_LOOP,
    /** Threads that run no handlers. */
    JETTY;

    private static final PipeSettings SETTINGS = PipeSettings.named("pipe");
    private static final String LOOPS = "fairlead.loops";

    public boolean isHttp() {
        return this != PIPE;
    }

    /** Serves a server here, until it is closed, and connects a client that has sessions. */
    public McpClient connect(McpServer server) throws IOException, InterruptedException {
        McpClient.Builder client =
                McpClient.named("test", "1")
                        .revisions(Revision.V2024_11_05, Revision.NEWEST_WITH_HANDSHAKE);
        if (this == PIPE) {
            UninterruptiblePipe pipe = new UninterruptiblePipe();
            server.serve(new PipeEndpoint(pipe, SETTINGS));
            return client.connect(new PipeRemote(pipe::otherEnd, SETTINGS));
        }
        return client.connect(Http.to(serve(server).uri()));
    }

    private HttpServing serve(McpServer server) throws IOException {
        String before = System.getProperty(LOOPS, "");
        System.setProperty(LOOPS, this == PLATFORM_LOOP ? "platform" : "");
        try {
            return server.serve(Http.port(0).engine(this == JETTY ? "jetty" : "loop").ioThreads(1));
        } finally {
            System.setProperty(LOOPS, before);
        }
    }
}
