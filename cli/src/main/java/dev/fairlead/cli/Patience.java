package dev.fairlead.cli;

import dev.fairlead.client.ClientRequests;

import java.time.Duration;

/**
 * How long the requests of a command wait for their answers.
 *
 * @param asking whether a person may be asked meanwhile, who takes the time that it takes and can
 *     press Ctrl-C
 */
record Patience(ServerOptions options, boolean asking) {
    private static final Duration FOR_PEOPLE = Duration.ofHours(1);

    /**
     * The requests with their limits; those that are refused because pages must be visited first
     * are sent again where somebody consents to that.
     */
    ClientRequests on(ClientRequests server) {
        boolean patient = asking && !options.isTimeoutSet();
        Duration wait = patient ? FOR_PEOPLE : options.timeout();
        ClientRequests requests = patient ? server.withTimeout(wait) : server;
        return asking || options.elicit != null ? requests.withUrlElicitation(wait) : requests;
    }
}
