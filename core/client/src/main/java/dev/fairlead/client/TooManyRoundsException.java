package dev.fairlead.client;

import dev.fairlead.jsonrpc.CallException;

/** A server asked for input more often than a call of this client may take. */
public final class TooManyRoundsException extends CallException {
    private static final long serialVersionUID = 1;

    private final int rounds;

    TooManyRoundsException(String method, int rounds) {
        super(
                method
                        + " did not end: the server asked for input "
                        + (rounds + 1)
                        + " times, and a call may take "
                        + rounds
                        + " rounds",
                null);
        this.rounds = rounds;
    }

    /** Returns how many rounds a call may take. */
    public int rounds() {
        return rounds;
    }
}
