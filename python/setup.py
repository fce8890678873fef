"""Build a wheel with a C library, for one platform and for every Python 3 on it."""

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class PlatformDistribution(Distribution):
    has_ext_modules = lambda self: True


class PlatformWheel(bdist_wheel):
    get_tag = lambda self: ("py3", "none", super(PlatformWheel, self).get_tag()[2])


setup(distclass=PlatformDistribution, cmdclass={"bdist_wheel": PlatformWheel})
