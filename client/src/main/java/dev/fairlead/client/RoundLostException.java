package dev.fairlead.client;

import dev.fairlead.jsonrpc.ConnectionException;

/**
 * The answer of a round was lost after people had answered: the call is not begun again, since they
 * would be asked again.
 */
final class RoundLostException extends ConnectionException {
    private static final long serialVersionUID = 1;

    RoundLostException(ConnectionException loss) {
        super(loss.getMessage(), loss);
    }
}
