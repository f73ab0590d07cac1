package dev.fairlead.tasks;

import dev.fairlead.protocol.EventStore;
import dev.fairlead.protocol.OwnedValues;
import dev.fairlead.protocol.StateKeySource;
import dev.fairlead.protocol.changes.ChangeBus;

/**
 * Everything that the processes of a server share, or that outlives its process: the {@code
 * Database} of module {@code fairlead-jdbc} is one. Close it after the servers. Thread-safe.
 */
public interface ServerStore {
    /** Returns the tasks, with the default limits. */
    Tasks tasks();

    /** Returns the sessions over HTTP and their events, with the default limits. */
    EventStore events();

    /** Returns the bus that carries changes to the clients of all processes. */
    ChangeBus changes();

    /** Returns the keys that seal the state of requests that ask their client. */
    StateKeySource stateKeys();

    /** Returns the values with owners: the clients and logins of an {@code AuthorizationProxy}. */
    OwnedValues.Source ownedValues();
}
