package dev.fairlead.protocol.face;

import dev.fairlead.protocol.Revision;
import dev.fairlead.protocol.lifecycle.ClientCapabilities;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;

/** Removes the capabilities that a revision does not have. */
final class CapabilityDowngrade {
    private final boolean hasTasks;
    private final boolean hasElicitation;
    private final boolean hasCompletions;

    CapabilityDowngrade(Revision revision) {
        hasTasks = revision.isAtLeast(Revision.V2025_11_25);
        hasElicitation = revision.isAtLeast(Revision.V2025_06_18);
        hasCompletions = revision.isAtLeast(Revision.V2025_03_26);
    }

    ClientCapabilities of(ClientCapabilities capabilities) {
        if (hasTasks) { // and with them all details of sampling and elicitation
            return capabilities;
        }
        ClientCapabilities.Sampling sampling = capabilities.samplingCapability();
        boolean forms = hasElicitation && capabilities.elicitationForm();
        return new ClientCapabilities(
                capabilities.rootsCapability(),
                sampling == null
                        ? null
                        : new ClientCapabilities.Sampling(null, null, sampling.otherMembers()),
                forms ? new ClientCapabilities.Elicitation(null, null) : null,
                null,
                capabilities.experimental(),
                capabilities.extensions(),
                capabilities.otherMembers());
    }

    ServerCapabilities of(ServerCapabilities capabilities) {
        if (hasTasks) {
            return capabilities;
        }
        return new ServerCapabilities(
                capabilities.toolsCapability(),
                capabilities.resourcesCapability(),
                capabilities.promptsCapability(),
                hasCompletions ? capabilities.completionsCapability() : null,
                capabilities.loggingCapability(),
                null,
                capabilities.experimental(),
                capabilities.extensions(),
                capabilities.otherMembers());
    }
}
