package dev.fairlead.proofs.nodes;

import dev.fairlead.showcase.Serve;
import dev.fairlead.test.support.ChildJvm;
import dev.fairlead.test.support.ChildProcess;

import java.io.IOException;

/** {@code fairlead serve} as a process of its own. */
final class Program {
    private Program() {}

    static ChildProcess start(String... arguments) throws IOException {
        return ChildProcess.start(ChildJvm.command(Serve.class, arguments));
    }
}
