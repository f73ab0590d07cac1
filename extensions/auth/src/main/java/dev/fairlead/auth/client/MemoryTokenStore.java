package dev.fairlead.auth.client;

import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

final class MemoryTokenStore implements TokenStore {
    private final Map<URI, String> logins = new ConcurrentHashMap<>();
    private final StripedLocks turns = new StripedLocks();

    @Override
    public Optional<String> read(URI server) {
        return Optional.ofNullable(logins.get(server));
    }

    @Override
    public void write(URI server, String login) {
        logins.put(server, login);
    }

    @Override
    public boolean remove(URI server) {
        return logins.remove(server) != null;
    }

    @Override
    public Set<URI> servers() {
        return Set.copyOf(logins.keySet());
    }

    @Override
    public Lease lease(URI server) throws IOException, InterruptedException {
        return turns.take(server, StripedLocks.PATIENCE);
    }
}
