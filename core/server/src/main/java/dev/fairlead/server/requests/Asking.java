package dev.fairlead.server.requests;

import dev.fairlead.json.RawJson;
import dev.fairlead.peer.CallContext;
import dev.fairlead.peer.InterceptedCall;
import dev.fairlead.peer.InterceptorChain;
import dev.fairlead.protocol.Outcome;
import dev.fairlead.protocol.base.RequestParams;
import dev.fairlead.protocol.base.Result;
import dev.fairlead.protocol.mrtr.InputRequiredSignal;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Asks questions together. The interceptors of each question stand around those of the next, and
 * the innermost sends all that none of them has answered.
 */
final class Asking {
    private final ClientRequestScope scope;
    private final List<QuestionPlan<?, ?, ?>> plans;
    private final RequestFactory requestOf;
    private final QuestionCarrier carrier;
    private final @Nullable Result[] results;
    private final List<Integer> due = new ArrayList<>(); // indexes of the sent requests
    private final List<ClientRequest<?>> requests = new ArrayList<>();
    private boolean sent;
    private @Nullable RuntimeException failure; // of the sent requests
    private @Nullable InputRequiredSignal signal; // the client is asked by the result

    /** Makes the request that asks a question with these parameters. */
    @FunctionalInterface
    interface RequestFactory {
        <P extends RequestParams> ClientRequest<P> request(QuestionPlan<P, ?, ?> plan, P params);
    }

    /**
     * @param carrier takes the questions that no interceptor has answered
     */
    Asking(
            ClientRequestScope scope,
            List<QuestionPlan<?, ?, ?>> plans,
            RequestFactory requestOf,
            QuestionCarrier carrier) {
        this.scope = scope;
        this.plans = plans;
        this.requestOf = requestOf;
        this.carrier = carrier;
        this.results = new Result[plans.size()];
    }

    List<Result> ask() throws InterruptedException {
        if (scope.interceptors().isEmpty()) { // without a frame for each question
            for (int i = 0; i < plans.size(); i++) {
                due.add(i);
                requests.add(request(plans.get(i)));
            }
            send();
        } else {
            askFrom(0);
        }
        List<Result> all = new ArrayList<>();
        for (int i = 0; i < results.length; i++) {
            all.add(result(i));
        }
        return all;
    }

    /** Fails if all failed together, and an interceptor replaced the failure of another one. */
    private Result result(int index) {
        Result result = results[index];
        if (result == null && signal != null) {
            throw signal;
        }
        if (result == null) {
            throw Objects.requireNonNull(failure, "a question without a result has failed");
        }
        return result;
    }

    private <P extends RequestParams> ClientRequest<P> request(QuestionPlan<P, ?, ?> plan) {
        return requestOf.request(plan, plan.params());
    }

    private void askFrom(int index) throws InterruptedException {
        if (index == plans.size()) {
            send();
        } else {
            intercept(index, plans.get(index));
        }
    }

    private void add(int index, ClientRequest<?> request) throws InterruptedException {
        due.add(index);
        requests.add(request);
        askFrom(index + 1);
    }

    private <P extends RequestParams, R extends Result> void intercept(
            int index, QuestionPlan<P, R, ?> plan) throws InterruptedException {
        CallContext context =
                CallContext.outbound(scope.sessionInfo(), Optional.of(scope.face().revision()));
        int before = due.size();
        sent = false;
        Outcome<R> outcome =
                InterceptorChain.runUnchecked(
                        scope.interceptors(),
                        new InterceptedCall(plan.method().name(), plan.params(), false, context),
                        plan.method().result(),
                        asked -> {
                            due.subList(before, due.size()).clear(); // asked once more
                            requests.subList(before, requests.size()).clear();
                            Arrays.fill(results, index, results.length, null);
                            P params = plan.method().params().cast(asked.params());
                            add(index, requestOf.request(plan, params));
                            return Outcome.complete(plan.method().result().cast(result(index)));
                        });
        results[index] = InterceptorChain.result(plan.method().name(), outcome);
        if (!sent) { // an interceptor answered in place of the client
            askFrom(index + 1);
        }
    }

    private void send() throws InterruptedException {
        sent = true;
        if (requests.isEmpty()) {
            return;
        }
        try {
            List<RawJson> answers = carrier.ask(List.copyOf(requests));
            for (int i = 0; i < answers.size(); i++) {
                results[due.get(i)] = scope.read(requests.get(i).method(), answers.get(i));
            }
        } catch (RuntimeException e) {
            failure = e;
            throw e;
        } catch (InputRequiredSignal e) {
            signal = e;
            throw e;
        }
    }

    /** Returns the requests that were sent, as the interceptors left them. */
    List<ClientRequest<?>> requests() {
        return List.copyOf(requests);
    }
}
