package dev.fairlead.client;

import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.protocol.Remote;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.roots.Root;
import dev.fairlead.protocol.time.Timers;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A client with its connection. */
final class LiveClient extends Requests implements McpClient {
    private final ClientConnection connection;
    private final ClientSettings settings;

    private LiveClient(ClientConnection connection) {
        super(connection.parts(), connection.parts().context().defaults());
        this.connection = connection;
        this.settings = connection.parts().settings();
    }

    static LiveClient open(ClientSettings settings, Remote remote, Timers timers)
            throws InterruptedException {
        ClientConnection connection = new ClientConnection(settings, remote, timers);
        boolean ready = false;
        try {
            connection.begin();
            if (!settings.lazy) {
                connection.links().current();
            }
            ready = true;
            return new LiveClient(connection);
        } finally {
            if (!ready) {
                connection.close();
            }
        }
    }

    @Override
    public Implementation serverInfo() {
        return connection.links().known().server().serverInfo();
    }

    @Override
    public ServerCapabilities serverCapabilities() {
        return connection.links().known().server().capabilities();
    }

    @Override
    public Optional<String> instructions() {
        return Optional.ofNullable(connection.links().known().server().instructions());
    }

    @Override
    public void replaceRoots(Root... roots) {
        if (settings.roots == null) {
            throw new IllegalStateException("the client was built without roots(…)");
        }
        connection.keepRoots(Roots.checked(List.of(roots)));
        rootsChanged();
    }

    @Override
    public void rootsChanged() {
        if (settings.roots == null && settings.onRoots == null) {
            throw new IllegalStateException("the client was built without roots");
        }
        connection.notifyRootsChanged();
    }

    @Override
    public boolean awaitLog(Duration limit) throws InterruptedException {
        return connection.awaitLog(limit);
    }

    @Override
    public void close() {
        connection.close();
    }
}
