package dev.fairlead.server.call;

import dev.fairlead.protocol.time.Timers;
import dev.fairlead.server.requests.QuestionProgress;
import dev.fairlead.server.requeststate.RequestStates;

import java.util.function.Supplier;

/** The parts of the server that calls use, whether requests or tasks. Thread-safe. */
public interface ServerContext {
    ServerSettings settings();

    Timers timers();

    /** Returns the seals of request states. */
    RequestStates requestStates();

    /** Returns the listeners for the progress of questions of tasks. */
    QuestionProgress questionProgress();

    /** Adds a handler that the current thread is about to run, and watches it. */
    RunningHandlers.Entry begin(Supplier<String> subject);

    /** Removes a handler that the current thread has run. */
    void end(RunningHandlers.Entry handler);
}
