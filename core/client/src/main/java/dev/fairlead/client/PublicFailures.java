package dev.fairlead.client;

import dev.fairlead.client.internal.ClientSettings;
import dev.fairlead.client.internal.Failures;
import dev.fairlead.jsonrpc.CallException;
import dev.fairlead.jsonrpc.JsonRpcException;

import org.jspecify.annotations.Nullable;

/** The exceptions of this package. */
final class PublicFailures implements Failures {
    @Override
    public CallException unsupportedRevision(
            String offered, ClientSettings settings, @Nullable JsonRpcException refusal) {
        return new UnsupportedRevisionException(offered, settings, refusal);
    }

    @Override
    public CallException tooManyRounds(String method, int rounds) {
        return new TooManyRoundsException(method, rounds);
    }

    @Override
    public CallException handlerFailed(String method, Exception cause) {
        return new HandlerException(method, cause);
    }
}
