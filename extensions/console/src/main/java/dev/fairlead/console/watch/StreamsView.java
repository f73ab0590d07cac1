package dev.fairlead.console.watch;

import dev.fairlead.http.console.HttpOperator;
import dev.fairlead.http.console.HttpSessionStatus;
import dev.fairlead.http.console.HttpStreamStatus;
import dev.fairlead.json.JsonObject;

import java.util.Comparator;
import java.util.stream.Stream;

/** The streams of events of all sessions: those with the most waiting events first. */
final class StreamsView implements View {
    private static final Comparator<OfSession> MOST_WAITING =
            Comparator.comparing((OfSession one) -> one.stream.waiting())
                    .thenComparing(one -> one.stream.begun())
                    .reversed()
                    .thenComparing(OfSession::id);

    private final HttpOperator endpoint;

    StreamsView(HttpOperator endpoint) {
        this.endpoint = endpoint;
    }

    private record OfSession(HttpSessionStatus session, HttpStreamStatus stream) {
        static Stream<OfSession> streams(HttpSessionStatus session) {
            return session.eventStreams().stream().map(stream -> new OfSession(session, stream));
        }

        boolean matches(Query query) {
            return query.filter().isEmpty()
                    || query.matches(session.name(), SessionsView.client(session), stream.kind());
        }

        String id() {
            return session.name() + "/" + stream.name();
        }

        Snapshot.Row row() {
            return new Snapshot.Row(
                    id(),
                    JsonObject.of(
                            "session",
                            session.name(),
                            "client",
                            SessionsView.client(session),
                            "kind",
                            stream.kind(),
                            "connected",
                            stream.connected(),
                            "resumable",
                            stream.resumable(),
                            "begun",
                            stream.begun().toEpochMilli(),
                            "sent",
                            stream.sent(),
                            "waiting",
                            stream.waiting()));
        }
    }

    @Override
    public Snapshot snapshot(Query query) {
        FirstRows<OfSession> rows = new FirstRows<>(MOST_WAITING);
        endpoint.sessions()
                .flatMap(OfSession::streams)
                .filter(one -> one.matches(query))
                .forEach(rows::add);
        return rows.snapshot(OfSession::row);
    }
}
