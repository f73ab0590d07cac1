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
        ClientCapabilities known = capabilities.withTasks(null);
        if (known.samplingCapability() != null) {
            known =
                    known.withSampling(
                            known.samplingCapability().withContext(null).withTools(null));
        }
        boolean forms = hasElicitation && capabilities.elicitationForm();
        return known.withElicitation(forms ? new ClientCapabilities.Elicitation() : null);
    }

    ServerCapabilities of(ServerCapabilities capabilities) {
        if (hasTasks) {
            return capabilities;
        }
        ServerCapabilities known = capabilities.withTasks(null);
        return hasCompletions ? known : known.withCompletions(null);
    }
}
