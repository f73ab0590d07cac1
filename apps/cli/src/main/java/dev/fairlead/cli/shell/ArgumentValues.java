package dev.fairlead.cli.shell;

import dev.fairlead.client.ClientRequests;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.protocol.completion.CompleteRequest;
import dev.fairlead.protocol.completion.Reference;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Asks the server for completions of an argument. Answers are kept, since the same key is often
 * pressed twice, and waits are short. Used by the thread that reads lines.
 */
final class ArgumentValues {
    private static final int MAX_KEPT = 200;

    private final ClientRequests server;
    private final Map<CompleteRequest, List<String>> kept =
            new LinkedHashMap<>(16, 0.75f, true) {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(
                        Map.Entry<CompleteRequest, List<String>> eldest) {
                    return size() > MAX_KEPT;
                }
            };

    /**
     * @param patience how long the server is waited for
     */
    ArgumentValues(ClientRequests server, Duration patience) {
        this.server = server.withTimeout(patience, patience);
    }

    /** The values; none where the server does not say in time. */
    List<String> of(Reference of, String argument, String typed, Map<String, String> chosen) {
        CompleteRequest request =
                new CompleteRequest(of, new CompleteRequest.Argument(argument, typed))
                        .withContext(
                                chosen.isEmpty()
                                        ? null
                                        : new CompleteRequest.Context().withArguments(chosen));
        List<String> known = kept.get(request);
        if (known != null) {
            return known;
        }
        try {
            List<String> values = server.complete(request).completion().values();
            kept.put(request, values);
            return values;
        } catch (CallException e) {
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }
}
