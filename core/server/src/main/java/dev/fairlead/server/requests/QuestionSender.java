package dev.fairlead.server.requests;

import dev.fairlead.json.RawJson;

import java.util.List;

/** Sends questions together and waits for their results, in the same order. */
@FunctionalInterface
public interface QuestionSender {
    List<RawJson> send(List<ClientRequest<?>> questions) throws InterruptedException;
}
