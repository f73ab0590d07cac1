package dev.fairlead.http.console;

import dev.fairlead.protocol.Caller;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Implementation;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.time.Instant;
import java.util.List;

/**
 * A session at one moment, for operators.
 *
 * @param name the name in logs, which gives no access
 * @param transport {@code http}, or {@code sse} for HTTP+SSE
 * @param client name and version of the client; null before it has sent them
 * @param revision the negotiated revision; null before that
 * @param caller the caller that opened it
 * @param address the address of its latest request; null if unknown
 * @param opened the time when this process opened it
 * @param lastUsed the time of its latest request
 * @param requests how many HTTP requests of the session are not answered yet
 * @param streams how many streams of GET are connected
 * @param waiting how many messages wait until the client opens a stream
 * @param dropped how many messages were dropped, since the client did not receive them
 * @param eventStreams the streams that carry messages of no request
 */
public record HttpSessionStatus(
        String name,
        String transport,
        @Nullable Implementation client,
        @Nullable Revision revision,
        Caller caller,
        @Nullable InetAddress address,
        Instant opened,
        Instant lastUsed,
        int requests,
        int streams,
        int waiting,
        long dropped,
        List<HttpStreamStatus> eventStreams) {}
