package dev.fairlead.testing;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fairlead.protocol.changes.ChangeBus;
import dev.fairlead.tasks.TaskStore;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;

/** Failures that the contract suites report for a faulty implementation. */
final class WrongPartsTest {
    private static final class SplitBus extends ChangeBusContract {
        @Override
        protected ChangeBus newBus() {
            return ChangeBus.inProcess();
        }

        @Override
        protected ChangeBus furtherNode() {
            return ChangeBus.inProcess();
        }
    }

    private static final class ForgettingStore extends TaskStoreContract {
        @Override
        protected TaskStore newStore() {
            TaskStore real = Tasks.inMemory().parts().store();
            return (TaskStore)
                    Proxy.newProxyInstance(
                            TaskStore.class.getClassLoader(),
                            new Class<?>[] {TaskStore.class},
                            (proxy, method, arguments) ->
                                    method.getName().equals("find")
                                            ? Optional.empty()
                                            : method.invoke(real, arguments));
        }
    }

    @Test
    void changesThatAreNotReceivedAreNamed() throws Exception {
        SplitBus contract = new SplitBus();
        contract.patience = Duration.ofMillis(10);
        contract.openBus();
        assertThatThrownBy(contract::aChangeIsCarriedEachTime)
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith(
                        "1 of 1 changes not received within 10 ms, first OfList[kind=TOOLS]");
        contract.closeListeners();
    }

    @Test
    void aTaskThatIsNotFoundIsNamed() throws Exception {
        TaskStoreContract.Runs tests = new ForgettingStore().new Runs();
        tests.openStore();
        assertThatThrownBy(tests::progressNeverFalls)
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("find returned no task for TaskRun[owner=");
        tests.closeStore();
    }
}
