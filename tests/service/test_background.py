"""Work beside the requests ends when it is told to, even if it loses a cancellation on the way."""

from __future__ import annotations

import asyncio

from service.background import Background, end


async def loses_the_first(heard: list[str]) -> None:
    """What `wait_for` did before Python 3.12 when what it waited for came together with the cancellation."""
    while True:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            heard.append("cancelled")
            if len(heard) > 1:
                raise


def test_a_lost_cancellation_is_made_up_for():
    async def story() -> None:
        heard = list[str]()
        task = asyncio.create_task(loses_the_first(heard))
        await asyncio.sleep(0)
        await asyncio.wait_for(end(task), 5)
        assert task.cancelled()
        assert heard == ["cancelled"] * 2

    asyncio.run(story())


def test_stopping_waits_for_everything_and_twice_is_once():
    async def story() -> None:
        background, heard = Background(), list[str]()
        background.keep("stubborn", loses_the_first(heard))
        quick = background.spawn(asyncio.sleep(0))
        await asyncio.sleep(0.01)
        assert quick.done()
        assert background.alive()
        await asyncio.wait_for(background.stop(), 5)
        await background.stop()
        assert not background.alive()

    asyncio.run(story())
