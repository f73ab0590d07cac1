package dev.fairlead.console.watch;

import dev.fairlead.http.console.HttpOperator;
import dev.fairlead.http.console.HttpSessionStatus;
import dev.fairlead.http.console.HttpStreamStatus;
import dev.fairlead.json.JsonObject;
import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.base.Implementation;

import java.net.InetAddress;
import java.util.Comparator;
import java.util.Optional;

/** The sessions of clients, the latest used first. */
final class SessionsView implements View {
    private static final Comparator<HttpSessionStatus> LATEST_USED =
            Comparator.comparing(HttpSessionStatus::lastUsed)
                    .reversed()
                    .thenComparing(HttpSessionStatus::name);

    private final HttpOperator endpoint;

    SessionsView(HttpOperator endpoint) {
        this.endpoint = endpoint;
    }

    @Override
    public Snapshot snapshot(Query query) {
        FirstRows<HttpSessionStatus> rows = new FirstRows<>(LATEST_USED);
        endpoint.sessions().filter(session -> matches(query, session)).forEach(rows::add);
        return rows.snapshot(session -> new Snapshot.Row(session.name(), fields(session)));
    }

    private static boolean matches(Query query, HttpSessionStatus session) {
        return query.filter().isEmpty()
                || query.matches(
                        session.name(), client(session), address(session), caller(session));
    }

    private static JsonObject fields(HttpSessionStatus session) {
        Implementation client = session.client();
        return JsonObject.of(
                "client",
                client(session),
                "version",
                client == null ? "" : Texts.shortened(client.version()),
                "revision",
                Optional.ofNullable(session.revision()).map(Revision::date).orElse(""),
                "transport",
                session.transport(),
                "address",
                address(session),
                "caller",
                caller(session),
                "opened",
                session.opened().toEpochMilli(),
                "used",
                session.lastUsed().toEpochMilli(),
                "streams",
                session.streams(),
                "requests",
                session.requests(),
                "waiting",
                waiting(session),
                "dropped",
                session.dropped());
    }

    /** Returns how many messages wait for a stream, and in one. */
    private static int waiting(HttpSessionStatus session) {
        return session.waiting()
                + session.eventStreams().stream().mapToInt(HttpStreamStatus::waiting).sum();
    }

    static String client(HttpSessionStatus session) {
        Implementation client = session.client();
        return client == null ? "" : Texts.shortened(client.displayName());
    }

    private static String address(HttpSessionStatus session) {
        InetAddress address = session.address();
        return address == null ? "" : address.getHostAddress();
    }

    private static String caller(HttpSessionStatus session) {
        return session.caller().isAnonymous() ? "" : Texts.shortened(session.caller().toString());
    }
}
