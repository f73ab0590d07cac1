package dev.fairlead.server.requests;

import dev.fairlead.protocol.CapabilityException;
import dev.fairlead.protocol.Method;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.elicitation.ElicitFormRequest;
import dev.fairlead.protocol.elicitation.ElicitUrlRequest;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.IncludeContext;

import java.util.LinkedHashMap;
import java.util.Map;

/** The capabilities that a client must declare to be asked a question. */
final class RequiredCapabilities {
    /** The options of our client that declare them. */
    private static final Map<String, String> OPTIONS =
            Map.of(
                    "elicitation.form", "onElicitForm",
                    "elicitation.url", "onElicitUrl",
                    "sampling", "onSample",
                    "sampling.tools", "sampleTools",
                    "sampling.context", "sampleContext",
                    "roots", "roots or onRoots");

    private RequiredCapabilities() {}

    /**
     * Checks that a client declares the capabilities that a question needs.
     *
     * @param exists whether the revision of the client has the method
     * @throws CapabilityException if the client does not declare it, or the method does not exist
     */
    static void check(
            ClientCapabilities declared,
            boolean exists,
            Method<?, ?> method,
            RequestParams params) {
        for (Map.Entry<String, Boolean> one : needed(declared, params).entrySet()) {
            if (!exists) {
                throw CapabilityException.missing(one.getKey(), method.name());
            }
            if (!one.getValue()) {
                throw CapabilityException.missing(
                        one.getKey(),
                        method.name(),
                        OPTIONS.getOrDefault(one.getKey(), "a handler"));
            }
        }
    }

    /**
     * Returns the capabilities that a question needs, in the order of the checks, and whether each
     * is declared.
     */
    private static Map<String, Boolean> needed(ClientCapabilities declared, RequestParams params) {
        Map<String, Boolean> needed = new LinkedHashMap<>();
        switch (params) {
            case ElicitUrlRequest page -> needed.put("elicitation.url", declared.elicitationUrl());
            case ElicitFormRequest form ->
                    needed.put("elicitation.form", declared.elicitationForm());
            case CreateMessageRequest request -> {
                needed.put("sampling", declared.sampling());
                if (request.tools() != null || request.toolChoice() != null) {
                    needed.put("sampling.tools", declared.samplingTools());
                }
                if (request.includeContext() != null
                        && request.includeContext() != IncludeContext.NONE) {
                    needed.put("sampling.context", declared.samplingContext());
                }
            }
            default -> needed.put("roots", declared.roots());
        }
        return needed;
    }
}
