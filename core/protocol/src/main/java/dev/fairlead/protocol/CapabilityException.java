package dev.fairlead.protocol;

import dev.fairlead.jsonrpc.CallException;

import java.util.Objects;

/**
 * Reports that a request was not sent, since it needs a capability that the peer did not declare.
 */
public final class CapabilityException extends CallException {
    private static final long serialVersionUID = 1;

    private final String capability;

    /**
     * @param capability the capability that is missing, such as {@code sampling.tools}
     * @param message a description of the attempt
     */
    public CapabilityException(String capability, String message) {
        super(message, null);
        this.capability = Objects.requireNonNull(capability, "capability");
    }

    /** Creates an exception for a method that needs a capability of the peer. */
    public static CapabilityException missing(String capability, String method) {
        return new CapabilityException(
                capability, method + " needs the capability " + capability + " of the peer");
    }

    /**
     * Creates an exception for a method that needs a capability of the peer.
     *
     * @param options the options of a {@code McpClient} that declare it
     */
    public static CapabilityException missing(String capability, String method, String options) {
        return new CapabilityException(
                capability,
                missing(capability, method).getMessage() + "; a McpClient sets " + options);
    }

    /** Returns the missing capability, such as {@code sampling.tools}. */
    public String capability() {
        return capability;
    }
}
